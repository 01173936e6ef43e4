<?php
use Illuminate\Support\Facades\DB;
User::where('id', DB::raw($_GET['id'])); // ← here
