from django.shortcuts import render
from .models import Item

def items(request):
    sort = request.GET['sort']
    return Item.objects.raw('select * from shop_item order by {}'.format(sort))  # ← here
