<?php
class View {
    public function show(string $name) {
        include __DIR__ . '/views/' . $name; // ← here
    }
}
(new View())->show($_GET['view']);
