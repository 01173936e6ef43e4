package shop

import java.io.File
import java.util.zip.ZipEntry

class Orders {
    fun unpack(entry: ZipEntry, folder: File): File = File(folder, File(entry.name).name)
}
