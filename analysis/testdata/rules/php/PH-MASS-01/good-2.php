<?php
class Users {
    public function store(StoreUserRequest $request) {
        return User::create($request->validated());
    }
}
