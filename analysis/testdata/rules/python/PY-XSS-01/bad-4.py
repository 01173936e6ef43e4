from django.shortcuts import render
from django.utils.safestring import mark_safe

def badge(request):
    return mark_safe('<b>%s</b>' % request.POST['label'])  # ← here
