<?php
function paymentCallback($db) {
  if ($_GET['status'] == 'successful') { // ← here
    $db->execute("update orders set paid = 1 where reference = ?", [$_GET['tx_ref']]);
  }
}
