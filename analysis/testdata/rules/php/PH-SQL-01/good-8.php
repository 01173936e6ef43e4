<?php
class Message {
    public static function raw($text) {
        return new Message($text);
    }
}
Message::raw('select one from the list: ' . $_GET['name']);
