<?php
header('Location: /users/' . $_GET['id']);
