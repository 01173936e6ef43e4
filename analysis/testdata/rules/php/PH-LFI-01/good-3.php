<?php
include 'pages/' . basename($_GET['page']) . '.php';
