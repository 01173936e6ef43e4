<?php
namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;

class SignedByPaystack
{
    public function handle(Request $request, Closure $next)
    {
        $expected = hash_hmac('sha512', $request->getContent(), config('services.paystack.secret'));
        abort_unless(hash_equals($expected, (string) $request->header('x-paystack-signature')), 401);
        return $next($request);
    }
}
