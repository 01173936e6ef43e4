<?php
use Illuminate\Http\Request;
class Photos {
    public function store(Request $request) {
        $file = $request->file('photo');
        $file->move(public_path('photos'), $file->getClientOriginalName()); // ← here
    }
}
