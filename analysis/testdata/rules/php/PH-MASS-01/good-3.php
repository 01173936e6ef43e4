<?php
class Account extends Model {
    protected $guarded = ['id', 'balance'];
}
class Route {
    protected $guarded = [];
}
