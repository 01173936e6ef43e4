<?php
namespace App\Http\Controllers;

use App\Models\Order;
use Illuminate\Http\Request;

class PaystackController extends Controller
{
    public function webhook(Request $request)
    {
        $order = Order::where('reference', $request->input('data.reference'))->firstOrFail();
        $order->update(['status' => 'paid']);
        return response()->noContent();
    }
}
