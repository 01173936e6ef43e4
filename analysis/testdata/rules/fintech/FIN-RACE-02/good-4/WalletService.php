<?php
class WalletService {
  public function spend($id, $amount) {
    DB::transaction(function () use ($id, $amount) {
      $wallet = Wallet::lockForUpdate()->find($id);
      $wallet->balance = $wallet->balance - $amount;
      $wallet->save();
    });
  }
}
