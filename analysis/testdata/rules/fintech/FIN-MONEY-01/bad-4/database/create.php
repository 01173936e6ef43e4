<?php
Schema::create('orders', function ($table) {
  $table->float('amount'); // ← here
});
