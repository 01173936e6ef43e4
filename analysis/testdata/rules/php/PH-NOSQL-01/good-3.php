<?php
$repository->findOne(['name' => $_POST['name']]);
