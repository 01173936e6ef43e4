package shop

import java.io.File
import java.util.zip.ZipInputStream

class Orders {
    fun unpack(input: ZipInputStream, folder: String) {
        input.use { zip ->
            val entry = zip.nextEntry
            File("$folder/${entry.getName()}").writeBytes(zip.readBytes()) // ← here
        }
    }
}
