<?php
function spend($db, $id, $amount) {
  $balance = $db->query("select balance from accounts where id = 1")->fetch()['balance'];
  $left = $balance - $amount;
  $db->execute("UPDATE accounts SET balance = $left WHERE id = 1"); // ← here
}
