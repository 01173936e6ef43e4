<?php
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Http;
class Proxy {
    public function show(Request $request) {
        return Http::get($request->input('target')); // ← here
    }
}
