<?php
use Illuminate\Http\Request;
class Users {
    public function store(Request $request) {
        return User::create($request->only(['name', 'mail']));
    }
}
