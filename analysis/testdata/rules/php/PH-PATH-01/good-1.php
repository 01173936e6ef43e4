<?php
readfile('files/' . basename($_GET['file']));
