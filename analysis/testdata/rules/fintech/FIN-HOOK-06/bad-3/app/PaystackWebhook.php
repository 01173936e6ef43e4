<?php
class PaystackWebhook {
  public function handle(Request $request) {
    $payload = $request->all();
    $wallet = Wallet::find($payload['data']['metadata']['wallet']);
    $wallet->increment('balance', $payload['data']['amount']); // ← here
  }
}
