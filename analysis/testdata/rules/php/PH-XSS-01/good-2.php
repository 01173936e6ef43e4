<p>You searched for <?= htmlentities($_GET['q']) ?></p>
