import 'dart:io';

final client = HttpClient();
