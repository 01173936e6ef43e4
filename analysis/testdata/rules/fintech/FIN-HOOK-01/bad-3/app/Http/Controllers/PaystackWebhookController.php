<?php
class PaystackWebhookController extends Controller {
  public function handleWebhook(Request $request) { // ← here
    $payload = $request->all();
    if ($payload['event'] === 'charge.success') {
      Payment::create(['reference' => $payload['data']['reference']]);
    }
    return response('ok');
  }
}
