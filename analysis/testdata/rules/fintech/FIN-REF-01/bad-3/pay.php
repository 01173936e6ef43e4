<?php
$reference = 'order_' . time(); // ← here
Http::post('https://api.paystack.co/transaction/initialize', ['reference' => $reference]);
