class ItemsController < ApplicationController
  def show
    send_file File.join("uploads", File.basename(params[:name]))
  end
end
