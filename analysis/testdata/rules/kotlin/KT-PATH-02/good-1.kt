package shop

import java.io.File
import java.util.zip.ZipEntry

class Orders {
    fun unpack(entry: ZipEntry, folder: File): File {
        val target = File(folder, entry.name)
        check(target.canonicalPath.startsWith(folder.canonicalPath + File.separator))
        return target
    }
}
