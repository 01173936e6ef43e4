<?php
class Account extends Model {
    protected $guarded = []; // ← here
}
