<?php
readfile('files/' . $_GET['file']); // ← here
