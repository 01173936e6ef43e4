from django.db import models
class Wallet(models.Model):
    balance = models.DecimalField(max_digits=18, decimal_places=2)
    score = models.FloatField(default=0)
