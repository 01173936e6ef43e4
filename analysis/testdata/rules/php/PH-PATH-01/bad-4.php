<?php
use Symfony\Component\HttpFoundation\Request;
class Files {
    public function show(Request $request) {
        return file_get_contents('/srv/' . $request->query->get('path')); // ← here
    }
}
