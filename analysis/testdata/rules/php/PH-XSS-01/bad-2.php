<p>You searched for <?= $_GET['q'] ?></p> <!-- ← here -->
