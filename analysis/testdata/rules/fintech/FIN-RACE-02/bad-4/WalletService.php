<?php
class WalletService {
  public function spend($id, $amount) {
    $wallet = Wallet::find($id);
    $wallet->balance = $wallet->balance - $amount; // ← here
    $wallet->save();
  }
}
