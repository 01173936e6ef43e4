package shop

import java.io.File
import java.util.zip.ZipEntry
import java.util.zip.ZipInputStream

class Orders {
    fun unpack(input: ZipInputStream, folder: File) {
        var entry: ZipEntry? = input.nextEntry
        while (entry != null) {
            val target = File(folder, entry.name) // ← here
            target.outputStream().use { input.copyTo(it) }
            entry = input.nextEntry
        }
    }
}
