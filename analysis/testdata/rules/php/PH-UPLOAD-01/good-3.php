<?php
use Illuminate\Http\Request;
class Photos {
    public function store(Request $request) {
        $request->validate(['photo' => 'required|mimes:jpg,png']);
        $file = $request->file('photo');
        $file->move(public_path('photos'), $file->hashName());
    }
}
