from django.shortcuts import redirect

def choose(request):
    request.session['plan'] = request.POST['plan']  # ← here
    return redirect('/')
