<?php
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RedirectResponse;
class Back {
    public function go(Request $request) {
        return new RedirectResponse($request->query->get('to')); // ← here
    }
}
