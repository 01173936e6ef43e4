import 'package:sqflite/sqflite.dart';

Future<List> search(Database db, String text) {
  return db.query('notes', where: "title like '%$text%'"); // ← here
}
