<?php
extract($_GET, EXTR_SKIP);
