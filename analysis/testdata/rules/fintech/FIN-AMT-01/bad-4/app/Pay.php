<?php
class PayController {
  public function pay(Request $request) {
    $order = Order::find($request->order_id);
    return Http::post('https://api.paystack.co/transaction/initialize', ['email' => $order->email, 'amount' => $request->amount]); // ← here
  }
}
