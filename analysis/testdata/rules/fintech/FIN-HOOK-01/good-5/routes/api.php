<?php
use App\Http\Controllers\PaystackController;
use App\Http\Middleware\SignedByPaystack;
use Illuminate\Support\Facades\Route;

Route::middleware(SignedByPaystack::class)->group(function () {
    Route::post('/paystack/webhook', [PaystackController::class, 'webhook']);
});
