<?php
echo json_encode(['name' => $_GET['name']]);
