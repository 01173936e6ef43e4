from django.db import models
class Wallet(models.Model):
    balance = models.FloatField(default=0)  # ← here
