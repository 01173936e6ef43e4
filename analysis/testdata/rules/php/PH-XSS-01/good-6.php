<?php
$tab = $_GET['tab'] ?? 'home';
if (!in_array($tab, ['home', 'shop'])) {
    $tab = 'home';
}
echo "<a class='$tab'>";
