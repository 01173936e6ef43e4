<?php
ini_set('memory_limit', '256M');
