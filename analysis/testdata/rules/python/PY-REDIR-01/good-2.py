from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

def leave(request):
    target = request.GET.get('to', '/')
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = '/'
    return redirect(target)
