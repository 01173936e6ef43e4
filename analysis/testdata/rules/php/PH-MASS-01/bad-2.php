<?php
use Illuminate\Http\Request;
class Users {
    public function update(Request $request, User $user) {
        $user->forceFill($request->all())->save(); // ← here
    }
}
