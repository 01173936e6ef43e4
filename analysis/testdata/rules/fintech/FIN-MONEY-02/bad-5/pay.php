<?php
function pay($request) {
  $amount = floatval($request['amount']); // ← here
  return Http::post('https://api.paystack.co/transaction/initialize', ['amount' => $amount]);
}
