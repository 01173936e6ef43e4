class ItemsController < ApplicationController
  def show
    attachment = Attachment.find(params[:id])
    send_file attachment.path
  end
end
