package shop

import java.nio.file.Files
import java.nio.file.Paths
import java.util.zip.ZipEntry

class Orders {
    fun unpack(entry: ZipEntry, folder: String) {
        Files.createFile(Paths.get(folder, entry.name)) // ← here
    }
}
