<?php
namespace App\Http\Controllers;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
class UserController extends Controller {
    public function index(Request $request) {
        return DB::select("select * from users where mail = '{$request->input('mail')}'"); // ← here
    }
    public function sorted(Request $request) {
        return User::query()->orderByRaw($request->get('sort'))->get();
    }
}
