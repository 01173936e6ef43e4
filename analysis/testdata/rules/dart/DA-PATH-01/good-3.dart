import 'dart:io';

String read(String name) => File('assets/$name').readAsStringSync();
